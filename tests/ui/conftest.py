"""What holds for every test of the window."""

from tests.helpers.qt_leaks import no_running_qthread

__all__ = ["no_running_qthread"]
