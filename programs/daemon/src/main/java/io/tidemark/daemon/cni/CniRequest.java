package io.tidemark.daemon.cni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request of protocol {@code TIDEMARK-CNI/1}: its name, a line {@code NAME=value} for each
 * variable of the CNI specification that is set, an empty line, then what the plugin read from its
 * standard input (AM16).
 *
 * @param variables by name
 * @param config the network configuration
 */
record CniRequest(Map<String, String> variables, String config) {
  static final String PROTOCOL = "TIDEMARK-CNI/1";

  private static final String HEAD_END = "\n\n";

  /** The character that stands for bytes that are not UTF-8. */
  private static final char UNDECODABLE = '\uFFFD';

  /** The characters that the specification allows in names of containers and networks. */
  static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");

  private static final Pattern INTERFACE = Pattern.compile("(?!\\.{1,2}$)[^\\s/:\\p{Cntrl}]{1,15}");
  private static final Pattern VARIABLE = Pattern.compile("CNI_[A-Z]+");
  private static final int VARIABLES_MAX = 32;
  private static final Pattern ARGUMENT = Pattern.compile("([A-Za-z0-9_]+)=([^=]*)");
  private static final Pattern FLAG = Pattern.compile("1|0|true|false", Pattern.CASE_INSENSITIVE);

  static CniRequest parse(String request) throws InvalidRequestException {
    int end = request.indexOf(HEAD_END);
    if (end < 0) {
      throw new InvalidRequestException(
          CniFailure.undecodable(
              "the request of "
                  + request.getBytes(UTF_8).length
                  + " bytes ends before its configuration begins"));
    }
    if (request.lastIndexOf(UNDECODABLE, end) >= 0) {
      throw new InvalidRequestException(CniFailure.undecodable("the variables are not UTF-8"));
    }
    List<String> lines = Arrays.asList(request.substring(0, end).split("\n", -1));
    if (!lines.get(0).equals(PROTOCOL)) {
      throw new InvalidRequestException(
          CniFailure.undecodable("the first line is not " + PROTOCOL));
    }
    if (lines.size() > VARIABLES_MAX) {
      throw invalid("there are more than " + VARIABLES_MAX + " lines");
    }
    Map<String, String> variables = new LinkedHashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      int equals = line.indexOf('=');
      String name = equals < 0 ? line : line.substring(0, equals);
      if (equals < 0 || !VARIABLE.matcher(name).matches()) {
        throw invalid("'" + shortened(line) + "' is not CNI_NAME=value");
      }
      if (variables.put(name, line.substring(equals + 1)) != null) {
        throw invalid(name + " is given twice");
      }
    }
    return new CniRequest(variables, configOf(request));
  }

  /** The part behind the head of a request; empty when it has no whole head. */
  static String configOf(String request) {
    int end = request.indexOf(HEAD_END);
    return end < 0 ? "" : request.substring(end + HEAD_END.length());
  }

  String command() throws InvalidRequestException {
    String command = variables.get("CNI_COMMAND");
    if (command == null || command.isEmpty()) {
      throw invalid("CNI_COMMAND is not set");
    }
    return command;
  }

  /**
   * Which attachment the request is about.
   *
   * @param network the name of the network
   * @param others variables that must be set as well
   */
  AttachmentKey attachment(String network, String... others) throws InvalidRequestException {
    List<String> missing = new ArrayList<>();
    String container = required("CNI_CONTAINERID", missing);
    String name = required("CNI_IFNAME", missing);
    for (String other : others) {
      required(other, missing);
    }
    if (!missing.isEmpty()) {
      throw invalid(String.join(" and ", missing) + " must be set");
    }
    if (!IDENTIFIER.matcher(container).matches()) {
      throw invalid(
          "CNI_CONTAINERID is '" + shortened(container) + "'; expected letters, digits, _.-");
    }
    if (!INTERFACE.matcher(name).matches()) {
      throw invalid(
          "CNI_IFNAME is '"
              + shortened(name)
              + "'; expected up to 15 characters without blanks, '/' and ':'");
    }
    return new AttachmentKey(network, container, name);
  }

  private String required(String name, List<String> missing) {
    String value = variables.getOrDefault(name, "");
    if (value.isEmpty()) {
      missing.add(name);
    }
    return value;
  }

  /**
   * Refuses {@code CNI_ARGS} that are not pairs, or that ask for an address. A DEL does not ask:
   * what was refused must be able to go.
   */
  void requireArguments() throws InvalidRequestException {
    String whole = variables.getOrDefault("CNI_ARGS", "");
    if (whole.isEmpty()) {
      return;
    }
    Set<String> names = new HashSet<>();
    for (String each : whole.split(";", -1)) {
      Matcher pair = ARGUMENT.matcher(each);
      if (!pair.matches() || !names.add(pair.group(1))) {
        throw invalid(
            "CNI_ARGS has '" + shortened(each) + "'; expected NAME=value, each name once");
      }
      String value = pair.group(2);
      if (pair.group(1).equals("IgnoreUnknown") && !FLAG.matcher(value).matches()) {
        throw invalid(
            "CNI_ARGS has IgnoreUnknown=" + shortened(value) + "; expected 1, 0, true or false");
      }
      if (pair.group(1).equals("IP") && !value.isEmpty()) {
        throw invalid(
            "CNI_ARGS asks for IP="
                + shortened(value)
                + "; the agent chooses addresses itself, leave IP out");
      }
    }
  }

  /** The pod that {@code CNI_ARGS} names, as {@code namespace/pod}; empty when it names none. */
  Optional<String> pod() {
    Map<String, String> arguments = new LinkedHashMap<>();
    for (String each : variables.getOrDefault("CNI_ARGS", "").split(";", -1)) {
      int equals = each.indexOf('=');
      if (equals > 0) {
        arguments.put(each.substring(0, equals), each.substring(equals + 1));
      }
    }
    String namespace = arguments.getOrDefault("K8S_POD_NAMESPACE", "");
    String pod = arguments.getOrDefault("K8S_POD_NAME", "");
    return namespace.isEmpty() || pod.isEmpty()
        ? Optional.empty()
        : Optional.of(namespace + "/" + pod);
  }

  /** The pod, else {@code network/container}. */
  String owner(AttachmentKey key) {
    return pod().orElse(key.network() + "/" + key.container());
  }

  private static InvalidRequestException invalid(String details) {
    return new InvalidRequestException(CniFailure.invalidVariables(details));
  }

  private static String shortened(String text) {
    return text.length() > 80 ? text.substring(0, 80) + "..." : text;
  }
}
