"""Adapters that read fighters from files of other programs; see `affray.core.adapter`."""
