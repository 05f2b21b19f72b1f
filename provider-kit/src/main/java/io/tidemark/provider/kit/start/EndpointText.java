package io.tidemark.provider.kit.start;

import io.tidemark.config.ConfigReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * How the address of a service is written (provider-aws M15): a full URL as it is, a host name with
 * {@code https://} before it. Plain http goes to this machine only; metadata services have nothing
 * else. Pure.
 */
public final class EndpointText {
  /** The accepted form, for messages. */
  public static final String EXPECTED =
      "a host name, an https URL, or an http URL of this machine (loopback)";

  private static final Pattern LOCAL = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[::1\\]");

  private static final Pattern METADATA =
      Pattern.compile("169\\.254\\.169\\.254|\\[fd00:ec2::254\\]");

  private EndpointText() {}

  /** The address that a setting gives; one that is not accepted is a problem, and empty. */
  public static Optional<URI> read(ConfigReader reader, String key) {
    return read(reader, key, EndpointText::parse);
  }

  /** The address of a metadata service, as above. */
  public static Optional<URI> readMetadata(ConfigReader reader, String key) {
    return read(reader, key, EndpointText::parseMetadata);
  }

  private static Optional<URI> read(
      ConfigReader reader, String key, Function<String, Optional<URI>> parse) {
    Optional<String> given =
        reader.source().value(key).map(String::strip).filter(text -> !text.isEmpty());
    Optional<URI> endpoint = given.flatMap(parse);
    if (given.isPresent() && endpoint.isEmpty()) {
      reader.problems().invalid(reader.source(), key, EXPECTED);
    }
    return endpoint;
  }

  /** The address; empty when it is none, or plain http to elsewhere. */
  public static Optional<URI> parse(String text) {
    return parse(text, LOCAL);
  }

  static Optional<URI> parseMetadata(String text) {
    return parse(text, Pattern.compile(LOCAL.pattern() + "|" + METADATA.pattern()));
  }

  private static Optional<URI> parse(String text, Pattern plain) {
    String whole = text.contains("://") ? text : "https://" + text;
    try {
      URI uri = new URI(whole);
      return Optional.of(uri).filter(each -> isAccepted(each, plain));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static boolean isAccepted(URI uri, Pattern plain) {
    String host = uri.getHost();
    if (host == null || uri.getUserInfo() != null || uri.getQuery() != null) {
      return false;
    }
    return switch (uri.getScheme().toLowerCase(Locale.ROOT)) {
      case "https" -> true;
      case "http" -> plain.matcher(host.toLowerCase(Locale.ROOT)).matches();
      default -> false;
    };
  }
}
