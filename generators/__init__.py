"""From catalogue and blueprints to source code: atlas, plan, one thin module per language, the plugin host."""
