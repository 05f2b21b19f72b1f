package io.tidemark.operator;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Finds secrets in the environment and the properties of the process. Stateless. */
final class SecretPlaces {
  /** Ends of names of variables and of properties, as clouds and clients have them. */
  private static final List<String> ENDS =
      List.of(
          "_TOKEN",
          "_SECRET",
          "_PASSWORD",
          "_PASSPHRASE",
          "_SECRET_KEY",
          "_ACCESS_KEY",
          "_API_KEY",
          "SECRETACCESSKEY",
          "SECRETKEY",
          "SESSIONTOKEN",
          ".PASSWORD",
          ".TOKEN",
          ".PASSPHRASE",
          "CLIENT.KEY.DATA",
          "AUTHORIZATION");

  private SecretPlaces() {}

  /** Tells the value of each secret among these, and the password of each URL. */
  static void tell(Map<String, String> named, Consumer<String> secrets) {
    named.forEach(
        (name, value) -> {
          String upper = name.toUpperCase(Locale.ROOT);
          if (ENDS.stream().anyMatch(upper::endsWith)) {
            secrets.accept(value);
          }
          if (upper.endsWith("PROXY")) {
            password(value, secrets);
          }
        });
  }

  private static void password(String url, Consumer<String> secrets) {
    try {
      String user = new URI(url).getUserInfo();
      int colon = user == null ? -1 : user.indexOf(':');
      if (user != null && colon >= 0) {
        secrets.accept(user.substring(colon + 1));
      }
    } catch (URISyntaxException e) {
      secrets.accept(url); // nobody can tell which part of it is secret
    }
  }
}
