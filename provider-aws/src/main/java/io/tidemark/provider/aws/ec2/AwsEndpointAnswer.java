package io.tidemark.provider.aws.ec2;

import io.tidemark.provider.aws.ec2.Ec2Failure.Ending;
import java.util.Optional;
import java.util.Set;

/**
 * Whether EC2 responds at an endpoint: with an error in EC2's form, or with a result, and with a
 * request id. A proxy, a web server or another AWS service can respond too. Pure.
 *
 * @param ofEc2 whether EC2 responds there
 * @param detail the response, in a sentence without a full stop
 */
public record AwsEndpointAnswer(boolean ofEc2, String detail) {
  /** EC2 carried out the request. */
  public static final AwsEndpointAnswer DONE = new AwsEndpointAnswer(true, "answers");

  private static final String OTHER = ", which is not how EC2 answers";

  /** EC2 knows every operation that we send. */
  private static final Set<String> UNKNOWN_OPERATION =
      Set.of(
          "InvalidAction",
          "UnsupportedOperation",
          "UnknownOperation",
          "UnknownOperationException",
          "NotImplemented",
          "MethodNotAllowed");

  /** EC2 has one path and one method, and names what is missing in errors of its own. */
  private static final Set<Integer> NEVER_EC2 = Set.of(404, 405, 501);

  /** The responder to a failed request; empty without a response. */
  public static Optional<AwsEndpointAnswer> of(Ec2Failure failure) {
    if (failure.httpStatus() == 0 || failure.ending() == Ending.NOT_SENT) {
      return Optional.empty();
    }
    return Optional.of(isOfEc2(failure) ? DONE : new AwsEndpointAnswer(false, detail(failure)));
  }

  private static boolean isOfEc2(Ec2Failure failure) {
    return failure.ending() == Ending.REFUSED
        && hasCode(failure)
        && !failure.requestId().isEmpty()
        && !UNKNOWN_OPERATION.contains(failure.code())
        && !NEVER_EC2.contains(failure.httpStatus());
  }

  /** An answer without an error of EC2's form is called after its status. */
  private static boolean hasCode(Ec2Failure failure) {
    return !failure.code().isEmpty() && !failure.code().equals(withoutCode(failure.httpStatus()));
  }

  /** The substitute for the code of an answer that has none. */
  static String withoutCode(int httpStatus) {
    return "HTTP" + httpStatus;
  }

  private static String detail(Ec2Failure failure) {
    return "answers with HTTP "
        + failure.httpStatus()
        + (hasCode(failure) ? " " + PlainText.of(failure.code()) : "")
        + (failure.requestId().isEmpty() ? " and without a request id" : "")
        + OTHER;
  }
}
