"""Questions that no store answers: what they find is chance, and tells how much chance finds.

Of the kind that people put to an assistant about themselves and theirs, with names that are nobody's.
"""

from memory.lexicon import listed

QUESTIONS: tuple[str, ...] = listed(
    "When did Wendeline varnish the rowing boat? | What is the serial number of Oswin's sewing machine? | "
    "Which optician made Tamsin's reading glasses? | How much did Radomir pay for the new boiler? | "
    "Who mended Ottoline's accordion? | What size gloves does Fenwick take? | "
    "Where does Zuleika keep the fuse box key? | What is Lubomir's shoe size? | Which notary did Perpetua go to? | "
    "When does Cosmin's parking permit run out? | What ointment does Wendeline use for her elbow? | "
    "Who rents the garage to Oswin? | What did Tamsin have at the Lebanese place? | "
    "When does Radomir's ferry to Bastia leave? | Which platform does Ottoline's night train go from? | "
    "What is the alarm code of Fenwick's workshop? | How heavy is Zuleika's suitcase? | What can Lubomir not eat? | "
    "Who showed Perpetua how to prune vines? | Why did Cosmin leave the choir? | "
    "What did Wendeline sow behind the greenhouse? | How old is Oswin's parrot? | "
    "What time does Tamsin's yoga class start? | Which dialect does Radomir speak at home? | "
    "What is Ottoline's favourite board game? | Did Fenwick give back the drill? | Where does Zuleika go fishing? | "
    "What did Lubomir say about the roundabout? | Who waters the orchids while Perpetua travels? | "
    "What is the matter with Cosmin's washing machine? | When did Wendeline's nephew graduate? | "
    "Which newspaper does Oswin read? | What deductible is in Tamsin's car insurance? | "
    "What is Radomir's physiotherapist called? | How does Ottoline take her coffee? | "
    "What did Fenwick knit for the baby? | Which opera did Zuleika fall asleep in? | "
    "What is Lubomir's middle name? | Where did Perpetua spend the Easter holidays? | "
    "How far does Cosmin cycle to the office? | What goes into Wendeline's lentil stew? | "
    "When is the chimney inspected? | What has to be returned by Friday? | When is the paper collected? | "
    "How do I bleed the radiators? | Where did we put the camping stove? | What is the currency of Mongolia? | "
    "How long do you cook beetroot? | Can you shorten this paragraph? | Write a limerick about a lighthouse. | "
    "Will it rain at the weekend? | What goes well with leeks? | How deep is the deepest lake? | "
    "Explain how a heat pump works. | Who scored in the final? | What did the vet say about the limp? | "
    "When does the swimming course begin? | Which number opens the bicycle lock? | "
    "How much is the deposit for the hall? | What bulbs does the hall lamp need? | "
    "What was that café in Antwerp called? | Has the spare part from the factory come? | "
    "How late is the recycling yard open? | Who has the long extension lead?",
    separator=" | ",
)
