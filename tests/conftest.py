"""Settings of hypothesis for all tests: no clock decides whether a test passes."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "affray", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("affray")
