package io.tidemark.provider.aws.ec2;

/**
 * How much one answer may hold (provider-aws 1.2). Always sent: EC2 refuses listings of large
 * accounts that are neither filtered in certain ways nor paged, and gives paged ones the larger
 * bucket.
 *
 * @param most the setting {@code aws-max-results-per-call}; 0 for ours
 */
record PageSizes(int most) {
  private static final int SMALLEST = 5;
  private static final int LARGEST = 1000;

  PageSizes {
    if (most != 0 && (most < SMALLEST || most > LARGEST)) {
      throw new IllegalArgumentException(
          "page size is " + most + "; expected 0, or " + SMALLEST + " to " + LARGEST);
    }
  }

  /** Of interfaces and instances. */
  int large() {
    return most == 0 ? LARGEST : most;
  }

  /** Of what is heavier, each with its tags. */
  int medium() {
    return most == 0 ? 500 : most;
  }

  /** Of what EC2 gives no more than a hundred of at once. */
  int small() {
    return most == 0 ? 100 : Math.min(most, 100);
  }
}
