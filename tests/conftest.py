"""Settings for all tests: no clock decides whether one passes, and none takes another's core."""

import os

from hypothesis import HealthCheck, settings

# Matrices of these tests are small, and the tests themselves run side by side: threads of numpy
# would wait for each other most of the time. Numpy reads it when it is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile(
    "affray", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("affray")
