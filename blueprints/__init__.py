"""The contracts between the parts: models, JSON Schemas, the catalogue, the known blueprints."""
