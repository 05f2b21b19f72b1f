package io.tidemark.emulator.ec2.sts;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

/**
 * The claims of an OpenID Connect token, such as a projected Kubernetes service account token. Its
 * signature is not verified: the emulator knows no issuer's key.
 *
 * @param issuer {@code iss}
 * @param subject {@code sub}
 * @param audience {@code aud}, the first when there are several
 */
record WebIdentityTokenJson(String issuer, String subject, String audience) {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  /**
   * Reads a token.
   *
   * @throws Ec2Refusal InvalidIdentityToken when it is none, ExpiredTokenException when it is over
   */
  static WebIdentityTokenJson read(String token, Instant now) {
    List<String> parts = List.of(token.split("\\.", -1));
    if (parts.size() != 3) {
      throw invalid(
          "The ID Token provided is not a valid JWT. (You may see this error if you sent"
              + " an Access Token)");
    }
    json(parts.get(0));
    JsonNode claims = json(parts.get(1));
    JsonNode audience = claims.path("aud");
    WebIdentityTokenJson read =
        new WebIdentityTokenJson(
            claim(claims.path("iss"), "issuer"),
            claim(claims.path("sub"), "subject"),
            claim(audience.isArray() ? audience.path(0) : audience, "audience"));
    requireTime(claims.path("exp"), now);
    return read;
  }

  private static void requireTime(JsonNode exp, Instant now) {
    if (!exp.canConvertToLong()) {
      throw invalid("Missing a required claim: exp");
    }
    try {
      if (!now.isBefore(Instant.ofEpochSecond(exp.longValue()))) {
        throw Ec2Refusal.of(
            "ExpiredTokenException",
            "Token expired: current date/time "
                + now.getEpochSecond()
                + " must be before the expiration date/time "
                + exp.longValue());
      }
    } catch (DateTimeException e) {
      throw invalid("The claim exp is " + exp);
    }
  }

  private static String claim(JsonNode claim, String name) {
    if (!claim.isTextual() || claim.textValue().isEmpty()) {
      throw invalid("Missing a required claim: " + name);
    }
    return claim.textValue();
  }

  private static JsonNode json(String part) {
    try {
      JsonNode read = JSON.readTree(Base64.getUrlDecoder().decode(part));
      if (!read.isObject()) {
        throw invalid("The ID Token provided is not a valid JWT.");
      }
      return read;
    } catch (IllegalArgumentException | JsonProcessingException e) {
      throw invalid("The ID Token provided is not a valid JWT.");
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory", e);
    }
  }

  private static Ec2Refusal invalid(String message) {
    return Ec2Refusal.of("InvalidIdentityToken", message);
  }
}
