"""A model that grades what rules cannot read: cheap (asked only then, once per reply), repeatable, and hard to fool.

A scorer turns what it cannot decide into a `Query` (`query.py`); a template (`prompts/`) turns that into a request whose reply must be one
JSON object of known fields. `ModelJudge` (`model.py`) asks many at once through any OpenAI-compatible endpoint (`endpoint.py`,
`client.py`), or through OpenAI's batch interface (`batch.py`), and keeps each verdict as it arrives (`store.py`). Scoring itself never waits for a model:
it is run once to collect the queries and once more with the verdicts (`asking.py`).
"""
