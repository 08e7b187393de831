"""From catalogue and blueprints to source code: atlas, plan, language modules, plugin host."""
