package io.tidemark.emulator.ec2.protocol;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request, or of a structure inside it, after its {@link ParameterShape} has
 * accepted them: a parameter read by name has the declared type. Immutable for its readers.
 */
public record Parameters(ParameterNode node) {
  /** Whether the parameter was given. */
  public boolean has(String name) {
    return node.find(name) != null;
  }

  public Optional<String> text(String name) {
    @Nullable ParameterNode child = node.find(name);
    return child == null ? Optional.empty() : Optional.ofNullable(child.value());
  }

  /** The text of a parameter that the shape declares as mandatory. */
  public String need(String name) {
    return text(name).orElseThrow(() -> ParameterShape.missing(Field.spoken(name)));
  }

  public Optional<Integer> integer(String name) {
    return text(name).map(Integer::valueOf);
  }

  public Optional<Boolean> flag(String name) {
    return text(name).map(Boolean::parseBoolean);
  }

  /** True only when the flag was given and is true. */
  public boolean isSet(String name) {
    return flag(name).orElse(false);
  }

  /** The elements of a list of texts, by ascending index; empty when it was not given. */
  public List<String> texts(String name) {
    @Nullable ParameterNode child = node.find(name);
    return child == null
        ? List.of()
        : child.elements().values().stream()
            .map(e -> Objects.requireNonNullElse(e.value(), ""))
            .toList();
  }

  /** The elements of a list of structures, by ascending index; empty when it was not given. */
  public List<Parameters> structures(String name) {
    @Nullable ParameterNode child = node.find(name);
    return child == null
        ? List.of()
        : child.elements().values().stream().map(Parameters::new).toList();
  }

  public Optional<Parameters> structure(String name) {
    @Nullable ParameterNode child = node.find(name);
    return child == null ? Optional.empty() : Optional.of(new Parameters(child));
  }

  /** Equal for requests that ask the same but for these parameters. */
  public String fingerprintWithout(String... names) {
    ParameterNode rest = node;
    for (String name : names) {
      rest = rest.without(name);
    }
    return rest.toString();
  }

  /** Equal for equal requests, whatever the order and the indices they were sent with. */
  @Override
  public String toString() {
    return node.toString();
  }
}
