package io.tidemark.provider.aws.eni;

import io.tidemark.error.ErrorCode;

/** Errors that the AWS provider reports to people; numbers 3000-3099 are in docs/errors.md. */
public enum AwsError implements ErrorCode {
  /** Pods get addresses that programs of the host may use. */
  PRIMARY_SERVES_PODS(
      3001,
      Kind.CONFIGURATION,
      "Unset use-primary-address in spec.eni of the nodes, unless no program of theirs uses the"
          + " primary addresses of interfaces other than the first.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of immutable parts
  private final Meaning meaning;

  AwsError(int number, Kind kind, String remedy) {
    this.meaning = new Meaning(number, kind, remedy);
  }

  @Override
  public Meaning meaning() {
    return meaning;
  }
}
