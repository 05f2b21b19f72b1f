package io.tidemark.provider.aws.ec2;

import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsResponse;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttribute;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Turns every request of a client into a dry run, and reads EC2's clock off the answers. A request
 * that cannot be a dry run is not sent.
 */
final class DryRunRequests implements ExecutionInterceptor {
  private static final String DRY_RUN = "DryRun";

  /** The SDK's text for no request id. */
  private static final String NO_REQUEST_ID = "UNKNOWN";

  private static final ExecutionAttribute<Long> SENT = new ExecutionAttribute<>("tidemark.sent");

  private final TimeSource time;
  private final AtomicReference<@Nullable Sample> best = new AtomicReference<>();

  /**
   * The clocks in an answer.
   *
   * @param tookMillis how long it took, half of which it may be wrong by
   */
  private record Sample(long skewMillis, long tookMillis) {}

  DryRunRequests(TimeSource time) {
    this.time = time;
  }

  /** An answer without what every answer of EC2 has. */
  static final class NotOfEc2 extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int httpStatus;

    NotOfEc2(int httpStatus) {
      super("an answer without EC2's request id", null, false, false);
      this.httpStatus = httpStatus;
    }

    int httpStatus() {
      return httpStatus;
    }
  }

  @Override
  public SdkRequest modifyRequest(
      Context.ModifyRequest context, ExecutionAttributes executionAttributes) {
    SdkRequest.Builder copy = context.request().toBuilder();
    if (copy instanceof SdkPojo fields) {
      for (SdkField<?> field : fields.sdkFields()) {
        if (field.locationName().equals(DRY_RUN)) {
          field.set(copy, true);
          return copy.build();
        }
      }
    }
    throw new IllegalStateException(
        context.request().getClass().getSimpleName() + " cannot be a dry run");
  }

  @Override
  public void beforeTransmission(
      Context.BeforeTransmission context, ExecutionAttributes executionAttributes) {
    executionAttributes.putAttribute(SENT, time.epochMillis());
  }

  @Override
  public void afterTransmission(
      Context.AfterTransmission context, ExecutionAttributes executionAttributes) {
    @Nullable Long sent = executionAttributes.getAttribute(SENT);
    Optional<Instant> date =
        context.httpResponse().firstMatchingHeader("Date").flatMap(DryRunRequests::instant);
    if (sent != null && date.isPresent()) {
      long now = time.epochMillis();
      // The header has whole seconds: on the average it lies half a second behind.
      long server = date.get().toEpochMilli() + 500;
      note(new Sample(server - (sent + now) / 2, now - sent));
    }
  }

  @Override
  public void afterUnmarshalling(
      Context.AfterUnmarshalling context, ExecutionAttributes executionAttributes) {
    if (context.response() instanceof AwsResponse answer && !hasRequestId(answer)) {
      throw new NotOfEc2(context.httpResponse().statusCode());
    }
  }

  private static boolean hasRequestId(AwsResponse answer) {
    String id = answer.responseMetadata() == null ? "" : answer.responseMetadata().requestId();
    return !id.isEmpty() && !id.equals(NO_REQUEST_ID);
  }

  private void note(Sample sample) {
    best.accumulateAndGet(
        sample,
        (before, next) ->
            before == null || (next != null && next.tookMillis() < before.tookMillis())
                ? next
                : before);
  }

  private static Optional<Instant> instant(String header) {
    try {
      return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(header)));
    } catch (DateTimeParseException unreadable) {
      return Optional.empty();
    }
  }

  Optional<Duration> clockSkew() {
    @Nullable Sample sample = best.get();
    return Optional.ofNullable(sample)
        .map(known -> Duration.ofSeconds(Math.round(known.skewMillis() / 1000.0)));
  }
}
