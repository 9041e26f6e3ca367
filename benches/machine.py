"""The line of a benchmark's output that describes the machine."""

import datetime
import os
import platform


def machine():
    """Returns the date, the processor's architecture, the number of cores and the load averages."""
    load = ", ".join(f"{load:.1f}" for load in os.getloadavg())
    return f"{datetime.date.today()}; {platform.machine()}, {os.cpu_count()} cores, load {load}"
