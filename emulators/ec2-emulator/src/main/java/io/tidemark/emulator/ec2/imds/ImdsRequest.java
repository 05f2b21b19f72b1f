package io.tidemark.emulator.ec2.imds;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One request to the metadata service.
 *
 * @param path decoded, with its first slash
 * @param headers the first value of each, by name in any case
 */
public record ImdsRequest(String method, String path, Map<String, String> headers) {
  public ImdsRequest {
    TreeMap<String, String> byLowerCase = new TreeMap<>();
    headers.forEach((name, value) -> byLowerCase.put(name.toLowerCase(Locale.ROOT), value));
    headers = Map.copyOf(byLowerCase);
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
  }
}
