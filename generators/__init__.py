"""From catalogue and blueprints to source code: atlas, plan, and one folder for each language."""
