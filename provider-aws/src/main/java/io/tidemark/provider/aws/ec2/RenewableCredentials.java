package io.tidemark.provider.aws.ec2;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Credentials of a chain that can be made anew: chains keep what they found until its announced
 * end, which the cloud may put earlier (M13). Thread-safe.
 */
final class RenewableCredentials implements AwsCredentialsProvider, SdkAutoCloseable {
  private static final String CHAIN = "Unable to load credentials from any of the providers";

  private final Supplier<AwsCredentialsProvider> chain;
  private volatile Held held;

  /**
   * @param generation how often they were renewed
   * @param previous what requests on their way may still use
   */
  private record Held(
      long generation,
      AwsCredentialsProvider provider,
      @Nullable AwsCredentialsProvider previous) {}

  RenewableCredentials(Supplier<AwsCredentialsProvider> chain) {
    this.chain = chain;
    this.held = new Held(0, chain.get(), null);
  }

  /** Credentials that are always the same. */
  static RenewableCredentials fixed(AwsCredentialsProvider provider) {
    return new RenewableCredentials(() -> provider);
  }

  /** Taken before a request, handed to {@link #renew} when it was refused. */
  long generation() {
    return held.generation();
  }

  /** Makes the chain anew unless somebody did since {@code seen} was taken; asks nobody yet. */
  void renew(long seen) {
    @Nullable AwsCredentialsProvider retired = null;
    synchronized (this) {
      Held before = held;
      if (before.generation() == seen) {
        held = new Held(seen + 1, chain.get(), before.provider());
        retired = before.previous();
      }
    }
    close(retired);
  }

  @Override
  public AwsCredentials resolveCredentials() {
    try {
      return held.provider().resolveCredentials();
    } catch (SdkException e) {
      throw new NoCredentials(reasons(String.valueOf(e.getMessage())), e);
    }
  }

  /** Why each of a chain has none, without the names of all that were asked before. */
  static String reasons(String message) {
    int reasons = message.indexOf(" : [");
    return message.startsWith(CHAIN) && reasons >= 0
        ? "no credentials are found: " + message.substring(reasons + 3)
        : message;
  }

  @Override
  public void close() {
    Held last = held;
    close(last.previous());
    close(last.provider());
  }

  private static void close(@Nullable AwsCredentialsProvider provider) {
    if (provider instanceof SdkAutoCloseable open) {
      open.close();
    }
  }
}
