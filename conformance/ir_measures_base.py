"""The base class of ir_measures' tests, which its source distribution leaves out: only what the tests call."""

import unittest


class BaseMeasureTest(unittest.TestCase):
    """Compares metrics, in any order, to 4 decimals: expected values are written with 5."""

    def assertMetrics(self, actual, expected, not_equal=False):
        actual, expected = (sorted(m, key=lambda one: (one.query_id, str(one.measure))) for m in (actual, expected))
        names = [[(one.query_id, str(one.measure)) for one in metrics] for metrics in (actual, expected)]
        self.assertEqual(*names)
        alike = all(abs(one.value - other.value) < 1e-4 for one, other in zip(actual, expected))
        self.assertEqual(alike, not not_equal, (actual, expected))
