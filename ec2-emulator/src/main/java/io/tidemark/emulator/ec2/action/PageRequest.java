package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.protocol.DecimalNumber;
import io.tidemark.emulator.ec2.protocol.Parameters;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Which part of a listing is asked for. The token that leads to the next part is opaque and belongs
 * to the request that it came from: with other filters it is refused.
 *
 * @param most resources of one page; empty for all
 * @param cursor where the page before ended; empty for the first
 * @param fingerprint of what is listed
 */
record PageRequest(OptionalInt most, Optional<String> cursor, String fingerprint) {
  /**
   * The bounds of MaxResults, the parameter that may not come with it, and what applies without it.
   */
  record Rule(int least, int most, Optional<String> ids, OptionalInt standard) {
    /** Without MaxResults everything is listed. */
    Rule(int least, int most, Optional<String> ids) {
      this(least, most, ids, OptionalInt.empty());
    }
  }

  /** MaxResults from 5 to 1000, and not together with ids. */
  static Rule thousand(String ids) {
    return new Rule(5, 1000, Optional.of(ids));
  }

  /** MaxResults from 5 to 100, and not together with ids. */
  static Rule hundred(String ids) {
    return new Rule(5, 100, Optional.of(ids));
  }

  /**
   * Reads MaxResults and NextToken.
   *
   * @throws Refusal when MaxResults is out of bounds or comes with ids, or the token is not ours
   */
  static PageRequest read(Parameters parameters, Rule rule) {
    OptionalInt most = parameters.integer("MaxResults");
    Optional<String> token = parameters.text("NextToken").filter(text -> !text.isEmpty());
    if (most.isPresent() || token.isPresent()) {
      rule.ids().filter(parameters::has).ifPresent(ids -> refuseIds(ids, most.isPresent()));
    }
    most.ifPresent(value -> requireBounds(value, rule));
    String fingerprint =
        Integer.toHexString(parameters.fingerprintWithout("MaxResults", "NextToken").hashCode());
    return new PageRequest(
        most.isPresent() ? most : rule.standard(),
        token.map(text -> cursor(text, fingerprint)),
        fingerprint);
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

  private static Refusal badToken() {
    return Refusal.of(
        "InvalidPaginationToken", "The specified pagination token is not valid or is expired.");
  }

  private static void refuseIds(String ids, boolean withMost) {
    throw Refusal.of(
        "InvalidParameterCombination",
        "The parameter "
            + Character.toLowerCase(ids.charAt(0))
            + ids.substring(1)
            + "s cannot be used with the parameter "
            + (withMost ? "maxResults" : "nextToken"));
  }

  private static void requireBounds(int value, Rule rule) {
    if (value < rule.least() || value > rule.most()) {
      throw Refusal.of(
          "InvalidParameterValue",
          String.format(
              Locale.ROOT,
              "Value ( %d ) for parameter maxResults is invalid. Expecting a value %s than or equal"
                  + " to %d.",
              value,
              value < rule.least() ? "greater" : "less",
              value < rule.least() ? rule.least() : rule.most()));
    }
  }
}
