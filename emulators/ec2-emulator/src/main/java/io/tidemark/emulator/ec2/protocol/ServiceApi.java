package io.tidemark.emulator.ec2.protocol;

import io.tidemark.error.NearestName;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The names of EC2's API, supported or not, to distinguish unsupported actions from unknown ones.
 * Read from {@code data/ec2-api.txt}.
 */
public final class ServiceApi {
  private static final String RESOURCE = "ec2-api.txt";

  /** The filters by their actions. */
  private static final SortedMap<String, Set<String>> ACTIONS = read();

  private ServiceApi() {}

  /** Every action of EC2. */
  public static Set<String> actions() {
    return ACTIONS.keySet();
  }

  /** The filters that EC2 documents for an action, those by tag keys excepted. */
  public static Set<String> filters(String action) {
    return ACTIONS.getOrDefault(action, Set.of());
  }

  /** The refusal of an action that the emulator does not have. */
  public static Ec2Refusal withoutAction(String name) {
    if (ACTIONS.containsKey(name)) {
      return Ec2Refusal.of(
          "UnsupportedOperation", "The emulator does not support the action " + name);
    }
    String meant =
        NearestName.of(name, actions()).map(near -> " Did you mean " + near + "?").orElse("");
    return Ec2Refusal.of(
        "InvalidAction", "The action " + name + " is not valid for this web service." + meant);
  }

  /** The refusal of a filter that the emulator does not have for an action. */
  public static Ec2Refusal withoutFilter(String action, String name) {
    return filters(action).contains(name)
        ? Ec2Refusal.of(
            "UnsupportedOperation", "The emulator does not support the filter '" + name + "'")
        : Ec2Refusal.of("InvalidParameterValue", "The filter '" + name + "' is invalid");
  }

  private static SortedMap<String, Set<String>> read() {
    TreeMap<String, Set<String>> actions = new TreeMap<>();
    try (InputStream in =
            Objects.requireNonNull(ServiceApi.class.getResourceAsStream(RESOURCE), RESOURCE);
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        List<String> names = List.of(line.split(" ", -1));
        actions.put(names.get(0), Set.copyOf(names.subList(1, names.size())));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Collections.unmodifiableSortedMap(actions);
  }
}
