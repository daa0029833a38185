"""The tests of staticpy."""
