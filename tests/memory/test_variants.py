import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.variants import differ_in_a_value, is_variant


@pytest.mark.parametrize(("one", "other"), [
    ("The tent is in the cellar", "The tent is in the car boot"),
    ("We keep the tent in the box under the bed", "We keep the tent in the attic"),
    ("My brother Maelle works as a roofer", "My brother Maelle works as a beekeeper"),
    ("Lives in Graz since May", "Lives in Ghent since May"), ("I get up at six on Mondays", "I get up at half past seven on Mondays"),
    ("For the Puzzle Weekly I pay 19 euros every month", "My subscription to the Puzzle Weekly costs 5 euros a month"),
    ("My aunt Fergus lives in Split", "Fergus, my aunt, is living in Graz"),
    ("Das Zelt liegt im Keller", "Das Zelt liegt im Kofferraum"), ("La tente est dans la cave", "La tente est dans le garage"),
    ("Палатка лежит в подвале", "Палатка лежит в гараже"), ("帐篷在地下室", "帐篷在后备箱"), ("テントは車庫にある", "テントは物置にある"),
])  # fmt: skip
def test_another_value_of_one_matter(one: str, other: str) -> None:
    assert is_variant(one, other)


@pytest.mark.parametrize(("one", "other"), [
    ("The tent is in the cellar", "The wine is in the cellar with the lamps"), ("Anna", "Ben"), ("", "The tent is in the cellar"),
    ("Ben bought a lamp for his desk", "Ben went to Ghent by train"), ("The tent is in the cellar", "Ghent is a town in Flanders"),
    ("It is the tent", "It is the tent beside green crates"), ("It is in the cellar", "It is in the car boot"),
    ("The tent is in the cellar", "The tent is in between crates, lamps, ropes, boots and skis"),
    ("My tent leaks badly", "My tent needs new green poles"), ("Ben likes Rita", "Ben met Rita"),
    ("Jonas's birthday is on 3 May", "Jonas's sister's birthday is on 9 June"), ("The wedding is on 5 June", "The wedding is not on 12 June"),
    ("Her tent leaks since the storm", "Her tent was a present from her uncle, bought in Ghent"), ("帐篷在地下室", "自行车在地下室旁边的棚子"),
])  # fmt: skip
def test_another_matter(one: str, other: str) -> None:
    assert not is_variant(one, other)
    assert not is_variant(other, one)


@pytest.mark.parametrize(("one", "other", "differ"), [
    ("The tent is in the cellar", "The tent is in the car boot", True), ("In the cellar is the tent", "In the car boot is the tent", False),
    ("The tent is in the cellar", "In the cellar is the tent", False), ("The tent is not in the cellar", "The tent is in the car boot", False),
    ("帐篷在地下室", "帐篷在后备箱", True),
])  # fmt: skip
def test_a_value_stands_behind_what_it_is_about(one: str, other: str, differ: bool) -> None:
    assert differ_in_a_value(one, other) is differ_in_a_value(other, one) is differ


@given(st.text(max_size=80), st.text(max_size=80))
def test_it_knows_no_order(one: str, other: str) -> None:
    assert is_variant(one, other) == is_variant(other, one)
