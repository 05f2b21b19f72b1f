package io.tidemark.emulator.ec2.http;

import io.tidemark.emulator.kit.pace.Delivery;
import java.time.Duration;

/**
 * A response and its delivery.
 *
 * @param status the HTTP status
 * @param body an XML document
 * @param latency between request and response
 * @param delivery whether it is sent
 */
public record Response(
    int status, String requestId, String body, Duration latency, Delivery delivery) {
  /** Of every body. */
  public static final String CONTENT_TYPE = "text/xml;charset=UTF-8";
}
