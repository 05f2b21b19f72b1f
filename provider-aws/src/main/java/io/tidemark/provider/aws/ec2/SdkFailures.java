package io.tidemark.provider.aws.ec2;

import io.tidemark.provider.aws.ec2.Ec2Failure.Ending;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertificateException;
import java.util.Locale;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/** The SDK's exceptions, as failures that say how far the request came. Pure. */
final class SdkFailures {
  private static final int CAUSES_MAX = 20;

  private SdkFailures() {}

  static Ec2Failure of(RuntimeException thrown) {
    if (thrown instanceof AwsServiceException answer) {
      return answered(answer);
    }
    Throwable cause = thrown;
    for (int i = 0; i < CAUSES_MAX && cause != null; i++, cause = cause.getCause()) {
      if (cause instanceof RenewableCredentials.NoCredentials) {
        return unanswered(Ending.NO_CREDENTIALS, cause);
      }
      if (cause instanceof DryRunRequests.NotOfEc2 other) {
        return Ec2Failure.answeredByOther(other.httpStatus(), text(other), thrown);
      }
      if (wasNotSent(cause)) {
        return Ec2Failure.unanswered(Ending.NOT_SENT, text(cause), thrown);
      }
    }
    return unanswered(Ending.ANSWER_LOST, thrown);
  }

  private static Ec2Failure answered(AwsServiceException answer) {
    AwsErrorDetails details = answer.awsErrorDetails();
    String code = details == null ? "" : Answers.text(details.errorCode());
    String requestId = Answers.text(answer.requestId());
    if (!code.isEmpty()) {
      String text = Answers.text(details.errorMessage());
      return Ec2Failure.refused(code, text, answer.statusCode(), requestId);
    }
    // Not EC2 said this but something on the way, a proxy or a balancer.
    return answer.statusCode() >= 500
        ? Ec2Failure.answeredByOther(answer.statusCode(), text(answer), answer)
        : Ec2Failure.refused(
            AwsEndpointAnswer.withoutCode(answer.statusCode()),
            text(answer),
            answer.statusCode(),
            requestId);
  }

  /** Whether this can only happen before the first byte of the request. */
  private static boolean wasNotSent(Throwable cause) {
    return cause instanceof UnknownHostException
        || cause instanceof ConnectException
        || cause instanceof NoRouteToHostException
        || cause instanceof ConnectTimeoutException
        || cause instanceof ConnectionRequestTimeoutException
        || cause instanceof CertificateException
        || (cause instanceof SocketTimeoutException
            && text(cause).toLowerCase(Locale.ROOT).contains("connect timed out"));
  }

  private static Ec2Failure unanswered(Ending ending, Throwable cause) {
    return Ec2Failure.unanswered(ending, text(cause), cause);
  }

  private static String text(Throwable thrown) {
    @Nullable String message = thrown.getMessage();
    return thrown.getClass().getSimpleName() + (message == null ? "" : ": " + message);
  }
}
