package io.tidemark.manifests;

/** Turns offsets in code points into offsets in chars. */
final class CharOffsets {
  private static final int STEP = 256;

  private final String text;
  private final int[] everyStep;

  private CharOffsets(String text, int[] everyStep) {
    this.text = text;
    this.everyStep = everyStep;
  }

  static CharOffsets of(String text) {
    int codePoints = text.codePointCount(0, text.length());
    if (codePoints == text.length()) {
      return new CharOffsets(text, new int[0]);
    }
    int[] steps = new int[codePoints / STEP + 1];
    for (int i = 1; i < steps.length; i++) {
      steps[i] = text.offsetByCodePoints(steps[i - 1], STEP);
    }
    return new CharOffsets(text, steps);
  }

  int chars(int codePoints) {
    if (everyStep.length == 0) {
      return codePoints;
    }
    int step = codePoints / STEP;
    return text.offsetByCodePoints(everyStep[step], codePoints - step * STEP);
  }
}
