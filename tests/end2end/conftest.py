"""What holds for every test from end to end."""

from tests.helpers.qt_leaks import no_running_qthread

__all__ = ["no_running_qthread"]
