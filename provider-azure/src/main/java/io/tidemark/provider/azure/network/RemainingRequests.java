package io.tidemark.provider.azure.network;

import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelineSyncPolicy;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ObjLongConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells what responses of Resource Manager say is left of each bucket of requests (Z10). For people
 * who watch: nothing is decided by it. Thread-safe.
 */
final class RemainingRequests extends HttpPipelineSyncPolicy {
  private static final String PREFIX = "x-ms-ratelimit-remaining-";
  private static final String CHARGE = "x-ms-request-charge";

  /** {@code count}, or {@code policy;count} of one of the compute provider's. */
  private static final Pattern LEFT = Pattern.compile("(?:([\\w./-]{1,100});)?(\\d{1,9})");

  private static final int BUCKETS_MAX = 64;

  private final ObjLongConsumer<String> listener;
  private final Set<String> buckets = ConcurrentHashMap.newKeySet();

  RemainingRequests(ObjLongConsumer<String> listener) {
    this.listener = listener;
  }

  @Override
  protected HttpResponse afterReceivedResponse(
      HttpPipelineCallContext context, HttpResponse response) {
    for (HttpHeader each : response.getHeaders()) {
      String name = each.getName().toLowerCase(Locale.ROOT);
      if (name.startsWith(PREFIX)) {
        tell(name.substring(PREFIX.length()), each.getValue());
      } else if (name.equals(CHARGE)) {
        tell("request-charge", each.getValue());
      }
    }
    return response;
  }

  void tell(String header, String value) {
    for (String each : value.split(",", -1)) {
      Matcher left = LEFT.matcher(each.strip());
      if (left.matches()) {
        String bucket = left.group(1) == null ? header : left.group(1);
        if (buckets.contains(bucket) || (buckets.size() < BUCKETS_MAX && buckets.add(bucket))) {
          listener.accept(bucket, Long.parseLong(left.group(2)));
        }
      }
    }
  }
}
