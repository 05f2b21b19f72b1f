package io.tidemark.provider.aws.ec2;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Credentials of a chain that can be made anew: chains keep what they found until its announced
 * end, which the cloud may put earlier (M13). Thread-safe.
 */
final class RenewableCredentials implements AwsCredentialsProvider, SdkAutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RenewableCredentials.class);

  private static final String CHAIN = "Unable to load credentials from any of the providers";

  /** Between two sources of the SDK's list. */
  private static final Pattern SOURCES = Pattern.compile(", (?=\\w+CredentialsProvider\\()");

  /** The text of a source that nobody has set up. */
  private static final Pattern UNUSED =
      Pattern.compile(
          "must be specified either via|must be set|contained no credentials|variables are set"
              + "|credentials from IMDS|IMDS credentials have been disabled");

  private static final String MISSING =
      "there are no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or AWS_PROFILE,"
          + " or give the Pod or the instance a role";

  private final Supplier<AwsCredentialsProvider> chain;
  private final AtomicReference<String> told = new AtomicReference<>("");
  private volatile Held held;

  /**
   * @param generation how often they were renewed
   * @param previous what requests on their way may still use
   */
  private record Held(
      long generation,
      AwsCredentialsProvider provider,
      @Nullable AwsCredentialsProvider previous) {}

  /** Credentials could not be had; the request was not sent. */
  static final class NoCredentials extends SdkClientException {
    private static final long serialVersionUID = 1L;

    NoCredentials(String message, RuntimeException cause) {
      super(SdkClientException.builder().message(message).cause(cause));
    }
  }

  RenewableCredentials(Supplier<AwsCredentialsProvider> chain) {
    this.chain = chain;
    this.held = new Held(0, chain.get(), null);
  }

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
      throw new NoCredentials(missing(String.valueOf(e.getMessage())), e);
    }
  }

  /**
   * The missing credentials, in one sentence, with the failures of the sources that are in use. The
   * SDK's text about all of them is logged once.
   */
  private String missing(String message) {
    if (!message.startsWith(CHAIN)) {
      return message;
    }
    if (!message.equals(told.getAndSet(message))) {
      LOG.info("The AWS SDK found no credentials. reasons={}", message);
    }
    int list = message.indexOf(" : [");
    String failures =
        list < 0
            ? ""
            : Stream.of(SOURCES.split(message.substring(list + 4).replaceFirst("]$", "")))
                .filter(each -> !UNUSED.matcher(each).find())
                .collect(Collectors.joining("; "));
    return failures.isEmpty() ? MISSING : MISSING + ". " + failures;
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
