package io.tidemark.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A member that may not be used, written {@code owner#name} for all overloads or {@code
 * owner#name(A,B)} for one, with simple parameter names; {@code <init>} is a constructor. Members
 * that a subtype of the owner inherits or overrides count as well.
 */
record Signature(String owner, String name, Optional<String> parameters) {
  static Signature of(String text) {
    int hash = text.indexOf('#');
    int open = text.indexOf('(');
    String owner = text.substring(0, hash);
    return open < 0
        ? new Signature(owner, text.substring(hash + 1), Optional.empty())
        : new Signature(
            owner,
            text.substring(hash + 1, open),
            Optional.of(text.substring(open + 1, text.length() - 1)));
  }

  boolean matches(JavaAccess<?> access) {
    return access.getTarget().getName().equals(name)
        && ownerMatches(access.getTargetOwner())
        && parameters.map(wanted -> wanted.equals(parametersOf(access))).orElse(true);
  }

  private boolean ownerMatches(JavaClass target) {
    return name.equals("<init>") ? target.getName().equals(owner) : target.isAssignableTo(owner);
  }

  private static String parametersOf(JavaAccess<?> access) {
    return access.getTarget() instanceof CodeUnitAccessTarget code
        ? code.getRawParameterTypes().stream()
            .map(JavaClass::getSimpleName)
            .collect(Collectors.joining(","))
        : "";
  }

  @Override
  public String toString() {
    return owner + "#" + name + parameters.map(p -> "(" + p + ")").orElse("");
  }
}
