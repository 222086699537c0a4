"""Fit a small example and print its classes: `make demo`."""

from sklearn.feature_extraction.text import CountVectorizer

from newfound import ExploreEM

TEXTS = [
    "I want a refund for my last order",
    "please refund the order I cancelled",
    "when will the refund for order 311 arrive",
    "I forgot my password and cannot log in",
    "the password reset mail never comes",
    "password reset link has expired",
    "my parcel arrived broken",
    "broken glass inside the parcel",
    "parcel damaged and broken on one side",
    "the app crashes on the payment screen",
    "app crashes since the update",
    "after the update my app always crashes",
]
SEEDS = ["refund", None, None, "password"] + [None] * 8
COMMON = ["the", "my", "and", "for", "has", "on", "will", "when", "want", "please", "since", "after", "one", "in", "never"]


def main() -> None:
    """Two classes are seeded with one row each; the rest is found."""
    X = CountVectorizer(stop_words=COMMON).fit_transform(TEXTS)
    em = ExploreEM(random_state=0).fit(X, SEEDS)
    reasons = dict(zip(em.classes_[em.is_new_], em.trail_, strict=True))
    for name, new in zip(em.classes_, em.is_new_, strict=True):
        rows = [text for text, label in zip(TEXTS, em.labels_, strict=True) if label == name]
        print(f"{name} ({'new' if new else 'seeded'}, {len(rows)} rows)")
        if new:
            why = reasons[name]
            posterior = ", ".join(f"{p:.2f}" for p in why.posterior)
            print(f"  opened by row {why.row} in iteration {why.iteration}: it could not tell its classes apart ({posterior})")
        for text in rows:
            print(f"  - {text}")
    print(f"stopped: {em.stop_.reason} after {em.n_iter_} iterations")


if __name__ == "__main__":
    main()
