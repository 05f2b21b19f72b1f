package io.tidemark.emulator.ec2.http;

import io.tidemark.emulator.ec2.protocol.QueryForm;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Who signed a request and for what, read from the credential scope of Signature Version 4. The
 * signature itself is not verified, but a session's token is compared.
 *
 * @param accessKeyId of twelve digits: the number of the account
 * @param token that came with it, when it is temporary
 * @param region for which it was signed
 * @param service for which it was signed, {@code ec2} or {@code sts}
 */
record Credential(String accessKeyId, Optional<String> token, String region, String service) {
  private static final Pattern REGION = Pattern.compile("[a-z]{2,8}(-[a-z]+)+-[0-9]{1,2}");
  private static final String HEADER_PART = "Credential=";

  /** Whether a request has a signature, good or bad. */
  static boolean isSigned(Exchange exchange, QueryForm form) {
    return exchange.authorization().isPresent() || !form.value("X-Amz-Credential").isEmpty();
  }

  /**
   * Reads the Authorization header, or {@code X-Amz-Credential} of a presigned request; empty when
   * there is no scope to be read.
   */
  static Optional<Credential> of(Exchange exchange, QueryForm form) {
    String scope =
        exchange
            .authorization()
            .map(Credential::inHeader)
            .orElseGet(() -> form.value("X-Amz-Credential"));
    List<String> parts = List.of(scope.split("/", -1));
    if (parts.size() != 5 || parts.get(0).isEmpty() || !REGION.matcher(parts.get(2)).matches()) {
      return Optional.empty();
    }
    Optional<String> token =
        exchange
            .securityToken()
            .or(() -> Optional.of(form.value("X-Amz-Security-Token")))
            .filter(text -> !text.isEmpty());
    return Optional.of(new Credential(parts.get(0), token, parts.get(2), parts.get(3)));
  }

  private static String inHeader(String header) {
    int from = header.indexOf(HEADER_PART);
    if (from < 0) {
      return "";
    }
    String rest = header.substring(from + HEADER_PART.length());
    int end = rest.indexOf(',');
    return (end < 0 ? rest : rest.substring(0, end)).strip();
  }
}
