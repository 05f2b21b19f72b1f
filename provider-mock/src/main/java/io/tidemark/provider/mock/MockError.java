package io.tidemark.provider.mock;

import io.tidemark.error.ErrorCode;

/** Errors of the mock provider; numbers 9000-9099 are published in docs/errors.md. */
public enum MockError implements ErrorCode {
  MOCK_SETTINGS(
      9001, Kind.USAGE, "Correct the settings named; docs/config.md says what each expects.");

  private final int number;
  private final Kind kind;
  private final String remedy;

  MockError(int number, Kind kind, String remedy) {
    this.number = number;
    this.kind = kind;
    this.remedy = remedy;
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String remedy() {
    return remedy;
  }
}
