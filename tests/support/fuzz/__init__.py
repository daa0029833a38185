"""Random programs of the language: writing them, trying them, and making a failing one small."""
