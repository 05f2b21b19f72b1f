package io.tidemark.provider.mock;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** An object of a wide interface of which only some methods behave otherwise. */
final class Overriding {
  private Overriding() {}

  /** Calls go to the method of {@code overrides} of the same signature, else to {@code base}. */
  static <T> T of(Class<T> type, T base, Object overrides) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return target(method, overrides)
                    .invoke(receiver(method, base, overrides), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private static Object receiver(Method method, Object base, Object overrides) {
    return target(method, overrides).equals(method) ? base : overrides;
  }

  private static Method target(Method method, Object overrides) {
    try {
      Method own =
          overrides.getClass().getDeclaredMethod(method.getName(), method.getParameterTypes());
      own.setAccessible(true);
      return own;
    } catch (NoSuchMethodException e) {
      return method;
    }
  }
}
