package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.protocol.DecimalNumber;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import io.tidemark.emulator.ec2.protocol.Field;
import io.tidemark.emulator.ec2.protocol.Parameters;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Which part of a listing is asked for. The token that leads to the next part is opaque and belongs
 * to the request that it came from: with other filters it is refused.
 *
 * @param most resources of one page; empty for all
 * @param cursor where the page before ended; empty for the first
 * @param fingerprint of what is listed
 */
record PageRequest(Optional<Integer> most, Optional<String> cursor, String fingerprint) {
  /** Documented for MaxResults of every action that has it. */
  private static final int LEAST = 5;

  /**
   * Reads MaxResults and NextToken; without MaxResults everything is listed.
   *
   * @param ids the parameter that cannot be used with them
   * @param highest the upper bound of MaxResults
   * @throws Ec2Refusal when MaxResults is out of bounds or comes with ids, or the token is not ours
   */
  static PageRequest read(Parameters parameters, String ids, int highest) {
    return read(parameters, ids, highest, Optional.empty());
  }

  /** The same with pages of {@code standard} resources when MaxResults is missing. */
  static PageRequest read(
      Parameters parameters, String ids, int highest, Optional<Integer> standard) {
    Optional<Integer> most = parameters.integer("MaxResults");
    Optional<String> token = parameters.text("NextToken").filter(text -> !text.isEmpty());
    Ec2Refusal.when(
        (most.isPresent() || token.isPresent()) && parameters.has(ids),
        "InvalidParameterCombination",
        "The parameter %ss cannot be used with the parameter %s",
        Field.spoken(ids),
        most.isPresent() ? "maxResults" : "nextToken");
    most.ifPresent(value -> requireBounds(value, highest));
    String fingerprint =
        Integer.toHexString(parameters.fingerprintWithout("MaxResults", "NextToken").hashCode());
    return new PageRequest(
        most.or(() -> standard), token.map(text -> cursor(text, fingerprint)), fingerprint);
  }

  /** The token of the page after the one that ends here. */
  String tokenAfter(String last) {
    byte[] text = (fingerprint + ' ' + last).getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
  }

  private static String cursor(String token, String fingerprint) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
      List<String> parts = List.of(text.split(" ", 2));
      if (parts.size() == 2 && parts.get(0).equals(fingerprint)) {
        return parts.get(1);
      }
    } catch (IllegalArgumentException e) {
      throw badToken();
    }
    throw badToken();
  }

  /** The cursor as a serial. */
  long serial() {
    return DecimalNumber.whole(cursor.orElse("0")).orElseThrow(PageRequest::badToken);
  }

  private static Ec2Refusal badToken() {
    return Ec2Refusal.of(
        "InvalidPaginationToken", "The specified pagination token is not valid or is expired.");
  }

  private static void requireBounds(int value, int highest) {
    Ec2Refusal.when(
        value < LEAST || value > highest,
        "InvalidParameterValue",
        "Value ( %d ) for parameter maxResults is invalid. Expecting a value %s than or equal to"
            + " %d.",
        value,
        value < LEAST ? "greater" : "less",
        value < LEAST ? LEAST : highest);
  }
}
