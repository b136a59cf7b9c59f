"""The drawn scenes of VOILA: `draw_scene(number, subject, action, variant_seed)`."""
