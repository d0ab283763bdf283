"""Files in and out: imports of every kind, and exports."""
