package io.tidemark.emulator.ec2.http;

import io.tidemark.emulator.ec2.model.Caller;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.emulator.ec2.protocol.QueryForm;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.List;
import java.util.Optional;

/**
 * Who signed a request and for what, read from the credential scope of Signature Version 4. The
 * signature itself is not verified: the emulator knows no secret.
 *
 * @param accessKeyId of twelve digits: the number of the account
 * @param region for which it was signed
 * @param service for which it was signed, {@code ec2}
 */
record Credential(String accessKeyId, String region, String service) {
  /** The account of access key ids that are no account numbers. */
  static final String DEFAULT_ACCOUNT = "000000000000";

  private static final String HEADER_PART = "Credential=";

  /**
   * Reads the Authorization header, or {@code X-Amz-Credential} of a presigned request.
   *
   * @throws Refusal when there is no scope to be read
   */
  static Credential of(Optional<String> authorization, QueryForm form) {
    String scope =
        authorization.map(Credential::inHeader).orElseGet(() -> form.value("X-Amz-Credential"));
    if (scope.isEmpty() && authorization.isEmpty()) {
      throw new Refusal(
          new Ec2Error(
              "MissingAuthenticationToken", "Request is missing Authentication Token", 403));
    }
    List<String> parts = List.of(scope.split("/", -1));
    if (parts.size() != 5
        || parts.get(0).isEmpty()
        || !parts.get(2).matches("[a-z]{2,8}(-[a-z]+)+-[0-9]{1,2}")) {
      throw new Refusal(
          new Ec2Error(
              "AuthFailure", "AWS was not able to validate the provided access credentials", 401));
    }
    return new Credential(parts.get(0), parts.get(2), parts.get(3));
  }

  Caller caller() {
    boolean number = accessKeyId.matches("[0-9]{12}");
    return new Caller(number ? accessKeyId : DEFAULT_ACCOUNT, region, accessKeyId);
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
