package io.tidemark.provider.aws.doctor;

import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.kit.doctor.Findings;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.Finding;

/** How findings speak of a request that failed. */
final class FailureWords {
  static final String ASSUME_ROLE = "sts:AssumeRole";
  static final String NOTHING_SENT = "nothing is sent without credentials";

  private static final String UNTRIED = "untried";

  private FailureWords() {}

  static <T> CallResult<T> untried(String why) {
    return new CallResult.Failed<>(Failure.of(Failure.Kind.CANCELLED, UNTRIED, why));
  }

  /** Without the id of the request, which nobody looks for here. */
  private static String detail(Failure failure) {
    if (isRoleRefused(failure)) {
      return "the role cannot be taken on";
    }
    if (Ec2Condition.NO_CREDENTIALS.is(failure)) {
      return NOTHING_SENT;
    }
    return failure.detail().replaceFirst(" \\(request [^)]*\\)$", "");
  }

  static Finding undecided(String area, String subject, Failure failure) {
    return Findings.undecided(area, subject, failure, detail(failure));
  }

  static boolean isRoleRefused(Failure failure) {
    return failure.detail().contains(ASSUME_ROLE)
        || (Ec2Condition.UNAUTHORIZED.is(failure)
            && failure.detail().startsWith("sts:GetCallerIdentity"));
  }

  static boolean isWithoutCredentials(Failure failure) {
    return Ec2Condition.NO_CREDENTIALS.is(failure) && !isRoleRefused(failure);
  }
}
