package io.tidemark.provider.aws.limits;

import io.tidemark.provider.aws.ec2.InstanceType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The setting {@code aws-instance-limit-mapping}: {@code type=interfaces,ipv4,ipv6}, then on
 * request {@code nitro} or {@code xen}, then {@code metal} (provider-aws 5.1); as a list of items,
 * or as a map of types. Pure.
 */
public final class LimitMapping {
  private static final int MOST = 10_000;

  private LimitMapping() {}

  /**
   * Several types, separated by commas; a part with an equals sign begins the next type.
   *
   * @throws IllegalArgumentException its message names the problem
   */
  public static Map<String, InstanceType> parse(String text) {
    List<String> entries = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      if (part.indexOf('=') >= 0 || entries.isEmpty()) {
        entries.add(part);
      } else {
        entries.add(entries.remove(entries.size() - 1) + "," + part);
      }
    }
    Map<String, InstanceType> types = new LinkedHashMap<>();
    for (String entry : entries) {
      int equals = entry.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException("'" + entry + "' is not TYPE=LIMITS");
      }
      String name = entry.substring(0, equals).strip();
      if (types.put(name, limits(name, entry.substring(equals + 1))) != null) {
        throw new IllegalArgumentException(name + " is given twice");
      }
    }
    return types;
  }

  /**
   * The limits of each type, by its name.
   *
   * @throws IllegalArgumentException its message names the problem
   */
  public static Map<String, InstanceType> of(Map<String, String> limits) {
    Map<String, InstanceType> types = new LinkedHashMap<>();
    limits.forEach(
        (name, text) -> {
          if (types.put(name.strip(), limits(name.strip(), text)) != null) {
            throw new IllegalArgumentException(name.strip() + " is given twice");
          }
        });
    return types;
  }

  static InstanceType limits(String name, String text) {
    String[] parts = text.split(",", -1);
    if (parts.length < 3 || parts.length > 5) {
      throw invalid(name, text);
    }
    String hypervisor = parts.length > 3 ? parts[3].strip() : "";
    boolean bareMetal = parts.length > 4;
    if (!List.of("", "nitro", "xen").contains(hypervisor)
        || (bareMetal && !parts[4].strip().equals("metal"))) {
      throw invalid(name, text);
    }
    int interfaces = number(name, text, parts[0], 1);
    return new InstanceType(
        name,
        interfaces,
        interfaces,
        number(name, text, parts[1], 1),
        number(name, text, parts[2], 0),
        hypervisor,
        bareMetal);
  }

  private static int number(String name, String text, String part, int least) {
    String digits = part.strip();
    int number = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : -1;
    if (number < least || number > MOST) {
      throw invalid(name, text);
    }
    return number;
  }

  private static IllegalArgumentException invalid(String name, String text) {
    return new IllegalArgumentException(
        "invalid limit value '"
            + text
            + "' of "
            + name
            + ": expected INTERFACES,IPV4,IPV6[,nitro|xen[,metal]]");
  }
}
