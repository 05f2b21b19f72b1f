package io.tidemark.emulator.ec2.protocol;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The parameters of a query request, from the body of a POST or the query of a GET. Immutable.
 *
 * @param parameters by name, {@code Action} and {@code Version} included
 */
public record QueryForm(SortedMap<String, String> parameters) {
  /** Most parameters of one request; a longer one is refused. */
  public static final int PARAMETERS_MAX = 20_000;

  public QueryForm {
    parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
  }

  public static QueryForm of(Map<String, String> parameters) {
    return new QueryForm(new TreeMap<>(parameters));
  }

  /**
   * Reads {@code application/x-www-form-urlencoded} text in UTF-8.
   *
   * @throws Ec2Refusal MalformedQueryString when it is not such text
   */
  public static QueryForm parse(String text) {
    SortedMap<String, String> parameters = new TreeMap<>();
    int from = 0;
    while (from < text.length()) {
      int end = text.indexOf('&', from);
      end = end < 0 ? text.length() : end;
      if (end > from) {
        add(text.substring(from, end), parameters);
      }
      if (parameters.size() > PARAMETERS_MAX) {
        throw malformed("more than " + PARAMETERS_MAX + " parameters");
      }
      from = end + 1;
    }
    return new QueryForm(parameters);
  }

  private static void add(String pair, SortedMap<String, String> parameters) {
    int equals = pair.indexOf('=');
    String name = decode(equals < 0 ? pair : pair.substring(0, equals));
    String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
    if (parameters.put(name, value) != null) {
      throw malformed("the parameter " + name + " is given twice");
    }
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw malformed("a broken escape in " + text);
    }
  }

  private static Ec2Refusal malformed(String why) {
    return Ec2Refusal.of(
        "MalformedQueryString", "The query string contains a syntax error: " + why);
  }

  /** The value of this parameter, empty text when it is missing. */
  public String value(String name) {
    return parameters.getOrDefault(name, "");
  }
}
