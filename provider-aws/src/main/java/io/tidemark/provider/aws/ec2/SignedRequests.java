package io.tidemark.provider.aws.ec2;

import java.util.Set;
import java.util.function.Supplier;

/**
 * Sends requests of the SDK. One whose credentials have expired did nothing; it is sent a second
 * time with fresh ones (M13), and only then fails. Thread-safe; blocks.
 */
final class SignedRequests {
  private static final Set<String> EXPIRED =
      Set.of("RequestExpired", "ExpiredToken", "ExpiredTokenException");

  private final RenewableCredentials credentials;

  /** Of a client that signs with {@code credentials}. */
  SignedRequests(RenewableCredentials credentials) {
    this.credentials = credentials;
  }

  /** The answer to the request, read; all that the SDK throws is a failure. */
  <T> T send(Supplier<T> request) throws Ec2Failure {
    long generation = credentials.generation();
    try {
      return request.get();
    } catch (RuntimeException thrown) {
      Ec2Failure failure = SdkFailures.of(thrown);
      if (!EXPIRED.contains(failure.code())) {
        throw failure;
      }
    }
    credentials.renew(generation);
    try {
      return request.get();
    } catch (RuntimeException thrown) {
      throw SdkFailures.of(thrown);
    }
  }
}
