package io.tidemark.provider.mock;

import io.tidemark.error.ErrorCode;

/** Errors of the mock provider; numbers 9000-9099 are published in docs/errors.md. */
enum MockError implements ErrorCode {
  MANIFEST_CONTRADICTS(
      9001, Kind.USAGE, "Correct the manifest's status.eni, or the setting mock-subnets."),
  MANIFEST_WITHOUT_ROOM(
      9002, Kind.CAPACITY, "Give the manifest's subnet more addresses by mock-subnets.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final Meaning meaning;

  MockError(int number, Kind kind, String remedy) {
    this.meaning = new Meaning(number, kind, remedy);
  }

  @Override
  public Meaning meaning() {
    return meaning;
  }
}
