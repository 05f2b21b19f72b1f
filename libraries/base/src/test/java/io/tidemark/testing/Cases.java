package io.tidemark.testing;

/** How many cases of a random test run: a tenth of its number, unless a property says otherwise. */
public final class Cases {
  private static final int PART = Integer.getInteger("tidemark.cases.part", 10);
  private static final int FEW = 10;

  private Cases() {}

  /** One of {@code -Dtidemark.cases.part} of {@code all}; of few cases at least ten. */
  public static int of(int all) {
    return Math.min(all, Math.max(FEW, all / PART));
  }
}
