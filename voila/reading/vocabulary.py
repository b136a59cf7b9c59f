"""The words that the readers know. Tables, no logic; `lexicon.py` makes the table in which they are looked up.

What counts as the same follows the paper's rule and the public scorer: near synonyms do ("mice" for hamsters, "a boy" for a male
child, "jogging" for running), another age or gender does not ("a boy" is no man, "a man" no senior man), and "a person" or "a child"
leaves the gender open, which is wrong. Words that are neither here nor there ("a canine", "an ape-like creature", "holding a box") are
in no table: the rules do not read them, and a judge may.

Entries are separated by commas. Of nouns the plural, of verbs all forms are made, unless a table says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping

ANIMALS: Mapping[str, str] = {
    "cat": "cat, kitten, kitty, tomcat, tabby, tabby cat, housecat, house cat, siamese cat, persian cat",
    "dog": "dog, puppy, pup, doggy, doggie, pooch, hound, golden retriever, retriever, labrador, poodle, corgi, husky, german shepherd, "
    "shepherd dog, dalmatian, terrier, beagle, bulldog, french bulldog, pug, chihuahua, shiba inu, border collie, collie, dachshund, "
    "samoyed, spaniel, puppy dog",
    "fox": "fox, vixen, fox cub, fox kit, red fox, arctic fox",
    "hamster": "hamster, mouse, guinea pig, gerbil",
    "rabbit": "rabbit, bunny, hare, bunny rabbit",
    "wolf": "wolf, wolf pup, wolf cub, gray wolf, grey wolf, she wolf",
    "bear": "bear, grizzly, grizzly bear, polar bear, brown bear, black bear, bear cub, cub bear",
    "monkey": "monkey, chimpanzee, chimp, ape, macaque, baboon, capuchin",
}
"""Sex and age do not matter, and a breed is the kind."""

IRREGULAR_PLURALS: Mapping[str, str] = {
    "mouse": "mice",
    "wolf": "wolves",
    "gray wolf": "gray wolves",
    "grey wolf": "grey wolves",
    "she wolf": "she wolves",
    "man": "men",
    "woman": "women",
    "gentleman": "gentlemen",
    "businessman": "businessmen",
    "businesswoman": "businesswomen",
    "workman": "workmen",
    "child": "children",
    "person": "people",
}

OTHER_ANIMALS = """
squirrel, bird, duck, chicken, rooster, goose, owl, parrot, penguin, eagle, pig, piglet, cow, sheep, lamb, goat, horse, pony, donkey,
deer, moose, lion, tiger, leopard, cheetah, elephant, giraffe, zebra, kangaroo, koala, panda, red panda, raccoon, otter, beaver, rat,
hedgehog, ferret, weasel, skunk, mole, bat, frog, toad, turtle, tortoise, snake, lizard, crocodile, alligator, fish, shark, whale, dolphin,
seal, crab, teddy bear, robot, dinosaur, dragon, sloth, camel, llama, sea lion, chipmunk
"""
"""Kinds that are none of the eight, and near none of them: wrong."""

MALE, FEMALE = "male", "female"
CHILD, TEENAGE, ADULT, SENIOR = "child", "teenage", "adult", "senior"

PEOPLE: Mapping[tuple[str, str], str] = {
    (MALE, CHILD): "boy, schoolboy",
    (FEMALE, CHILD): "girl, schoolgirl",
    (MALE, ADULT): "man, gentleman, guy, businessman, workman",
    (FEMALE, ADULT): "woman, lady, businesswoman",
    (MALE, SENIOR): "grandfather, grandpa, granddad",
    (FEMALE, SENIOR): "grandmother, grandma, granny",
    ("", CHILD): "child, kid, toddler, youngster",
    ("", ADULT): "adult, grown up",
    ("", SENIOR): "senior, senior citizen, elder, pensioner, grandparent",
    (
        "",
        "",
    ): "person, human, human being, individual, teenager, adolescent, teen, worker, player, soccer player, football player, athlete, "
    "driver, skater, ice skater, figure skater, swimmer, runner, jogger, reader, writer, student, baby, infant",
}
"""(Gender, age) → nouns; "" where the noun leaves it open. An adjective may say it."""

PERSON_OF: Mapping[tuple[str, str], str] = {
    (MALE, CHILD): "male child",
    (FEMALE, CHILD): "female child",
    (MALE, ADULT): "man",
    (FEMALE, ADULT): "woman",
    (MALE, SENIOR): "senior man",
    (FEMALE, SENIOR): "senior woman",
}
"""(Gender, age) → subject."""

GENDERS: Mapping[str, str] = {MALE: "male, males", FEMALE: "female, females"}
AGES: Mapping[str, str] = {
    SENIOR: "senior, elderly, old, older, aged, elder",
    TEENAGE: "teenage, teenaged",
}
"""Adjectives. "Young" and "little" say nothing that a noun does not say: a young man is a man."""

THINGS = "subject, animal, figure, creature, character, being, one, member, object, thing, item"
"""Nouns that have a number, but no kind."""

NUMBERS: Mapping[int, str] = {
    0: "zero, no subject, no subjects, none, nobody",
    1: "one, single, a single, only one, lone, a lone, solitary, a solitary, sole, a sole, just one",
    2: "two, pair, a pair, couple, a couple, duo, a duo, both",
    3: "three, trio, a trio, triplet, triplets, threesome, all three",
    4: "four, quartet, a quartet, foursome, all four, quadruplets",
    5: "five, quintet",
    6: "six",
    7: "seven",
    8: "eight",
    9: "nine",
    10: "ten",
    12: "twelve, dozen, a dozen",
}

VAGUE = """
several, many, some, multiple, numerous, various, few, a few, a lot, lots, group, a group, family, a family, bunch, a bunch, crowd, a crowd,
team, a team, pack, a pack, variety, a variety, plenty, more than one
"""
"""No number; nearer to the noun than a real one ("a group of four") it is none either."""

VERBS: Mapping[str, str] = {
    "playing soccer": "kick a ball, kick the ball, kick a football, dribble a ball, dribble the ball, play football, play the football, "
    "play a football match, play a game of football, play footy",
    "driving a car": "drive, steer a car, steer the car",
    "ice-skating": "skate, ice skate, iceskate, figure skate, glide on the ice, glide on ice, skate on ice",
    "walking": "walk, stroll, amble, saunter, stride, hike, trek, wander, march",
    "swimming": "swim",
    "jumping": "jump, leap, hop, bounce",
    "typing": "use a laptop, use laptops, use a computer, use computers, use a keyboard, use a computer keyboard, use a typewriter, "
    "use keyboards, use their keyboards, use computers, use their computers, use their laptops, "
    "work on a laptop, work on a computer, work at a computer, work on laptops, work on computers",
    "writing": "write, jot, scribble, take notes, take down notes",
    "digging a hole": "dig, burrow, excavate",
    "carrying something": "carry, haul, lug, tote, transport",
    "reading": "read, peruse",
    "running": "run, jog, sprint, dash, gallop, race",
    "eating food": "eat, munch, nibble, chew, snack, devour, dine, feast, have a meal, have lunch, have dinner, have breakfast, enjoy a meal, "
    "feed on",
}

MORE_ACTIONS: Mapping[str, str] = {
    "playing soccer": "soccer, soccer ball, soccer balls, soccer match, soccer game, football match, football game",
    "driving a car": "behind the wheel, at the wheel",
    "typing": "typing, typed, types on, type on, types away, type away, typewriting",
    "jumping": "bounding",
    "digging a hole": "shoveling, shovelling, shoveled, shovelled",
}
"""As they stand."""

OTHER_VERBS = """
sit, stand, sleep, lie, pose, look, gaze, stare, dance, sing, fly, climb, cook, fish, bike, cycle, ride, ski, surf, skateboard, rollerblade,
roller skate, skate on a skateboard, skate on skateboards, drink, draw, paint, hug, talk, chat, smile, wave, watch, rest, relax, kneel, crouch, play, laugh, wear, roll, float, hunt, fight,
bark, plant, build, knit, drive a boat, drive a bus, drive a motorcycle, drive a train, drive a tractor, drive a bike, drive a bicycle,
play basketball, play tennis, play hockey, play ice hockey, play chess, play cards, play golf, play baseball, play volleyball,
play american football, play guitar, play the guitar, play the piano, play rugby, carry nothing, bury
"""
"""None of the thirteen, and near none of them: wrong where nothing else is said. Sitting and typing is typing."""

IRREGULAR_VERBS: Mapping[str, str] = {
    "drive": "drives, driving, drove, driven",
    "run": "runs, running, ran",
    "jog": "jogs, jogging, jogged",
    "swim": "swims, swimming, swam",
    "dig": "digs, digging, dug",
    "write": "writes, writing, wrote, written",
    "read": "reads, reading",
    "eat": "eats, eating, ate, eaten",
    "hop": "hops, hopping, hopped",
    "lug": "lugs, lugging, lugged",
    "jot": "jots, jotting, jotted",
    "take": "takes, taking, took",
    "have": "has, having, had",
    "feed": "feeds, feeding, fed",
    "sit": "sits, sitting, sat, seated",
    "stand": "stands, standing, stood",
    "lie": "lies, lying, lay",
    "sleep": "sleeps, sleeping, slept, asleep",
    "sing": "sings, singing, sang",
    "fly": "flies, flying, flew",
    "ride": "rides, riding, rode",
    "draw": "draws, drawing, drew",
    "drink": "drinks, drinking, drank",
    "chat": "chats, chatting, chatted",
    "hug": "hugs, hugging, hugged",
    "fight": "fights, fighting, fought",
    "build": "builds, building, built",
    "knit": "knits, knitting, knitted",
    "wear": "wears, wearing, wore",
    "ski": "skis, skiing, skied",
    "leap": "leaps, leaping, leapt, leaped",
}

NEUTRAL = """
swimming pool, swimming pools, swim suit, swimsuit, running shoes, running track, running water, walking stick, walking sticks, walking cane,
reading glasses, reading room, reading lamp, writing desk, skating rink, soccer field, soccer pitch, soccer uniform,
soccer uniforms, soccer jersey, soccer jerseys, soccer goal, soccer stadium, playing field, eating utensils, driving seat, jumping off point,
polar opposite, hot dog, hot dogs, middle aged, toy mouse, computer mouse, cat like, dog like, bear in mind, look like, looks like, rest of, properties that, property that
"""
"""Looks like one of the words above, and is none."""
