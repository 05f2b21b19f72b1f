package io.tidemark.provider.aws.ec2;

import io.tidemark.resilience.CallKind;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** The IAM names of the requests that we send: the service that owns the action, then its name. */
public final class IamAction {
  /** Needs no permission, but can be denied. */
  public static final String CALLER_IDENTITY = "sts:GetCallerIdentity";

  public static final String ASSUME_ROLE = "sts:AssumeRole";

  private static final Set<String> EC2 =
      Arrays.stream(Ec2Operation.values())
          .map(Ec2Operation::action)
          .collect(Collectors.toUnmodifiableSet());

  private IamAction() {}

  /** The action of an operation of EC2. */
  public static String of(Ec2Operation operation) {
    return "ec2:" + operation.action();
  }

  /** The action of a request, by its kind; the kind's own name where IAM knows no such action. */
  static String of(CallKind kind) {
    if (EC2.contains(kind.name())) {
      return "ec2:" + kind.name();
    }
    return CALLER_IDENTITY.endsWith(":" + kind.name()) ? CALLER_IDENTITY : kind.name();
  }
}
