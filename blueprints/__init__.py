"""The contracts between the parts: data models, JSON Schemas, the catalogue and the known blueprints."""
