"""The windows that open beside the main one."""
