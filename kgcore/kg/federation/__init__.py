"""Several graphs asked as one."""
