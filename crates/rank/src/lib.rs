//! From comparisons to an order: the tournament graph with its tiers and schedule, and rating models.
