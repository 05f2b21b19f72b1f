package io.tidemark.spi.contract;

import io.tidemark.spi.Capability;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Runs the check of a refusal in place of a test whose {@link Needs} the provider lacks. */
final class RefusalInstead implements InvocationInterceptor {
  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> test,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    CapabilityConformance suite = (CapabilityConformance) context.getRequiredTestInstance();
    Needs needs = method.getExecutable().getAnnotation(Needs.class);
    boolean refused = false;
    for (Capability each : needs == null ? new Capability[0] : needs.value()) {
      refused |= suite.lacks(each);
    }
    if (refused) {
      test.skip();
    } else {
      test.proceed();
    }
  }
}
