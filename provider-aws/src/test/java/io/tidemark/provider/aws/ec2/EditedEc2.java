package io.tidemark.provider.aws.ec2;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** EC2 whose answers a test makes or edits, one method for all requests. */
@FunctionalInterface
public interface EditedEc2 {
  /**
   * The answer.
   *
   * @param request the method's name
   * @param genuine asks EC2 itself
   * @throws Exception what the request ends with, an {@link Ec2Failure}
   */
  @Nullable Object answer(String request, Object[] arguments, Callable<?> genuine) throws Exception;

  /** An EC2 over another. */
  static Ec2Api over(Ec2Api ec2, EditedEc2 edited) {
    return of(
        (method, arguments) ->
            edited.answer(
                method.getName(),
                arguments,
                () -> {
                  try {
                    return method.invoke(ec2, arguments);
                  } catch (InvocationTargetException e) {
                    if (e.getCause() instanceof Error error) {
                      throw error;
                    }
                    throw (Exception) e.getCause();
                  }
                }));
  }

  /** Answers requests without another EC2. */
  @FunctionalInterface
  interface Alone {
    @Nullable Object answer(Method method, Object[] arguments) throws Exception;
  }

  static Ec2Api of(Alone alone) {
    return (Ec2Api)
        Proxy.newProxyInstance(
            Ec2Api.class.getClassLoader(),
            new Class<?>[] {Ec2Api.class},
            (proxy, method, arguments) ->
                alone.answer(method, arguments == null ? new Object[0] : arguments));
  }

  /** Edits the interfaces that an answer shows. */
  @FunctionalInterface
  interface Reads {
    List<AwsNetworkInterface> shown(Ec2Filter query, List<AwsNetworkInterface> all)
        throws Ec2Failure;
  }

  /** EC2 that shows an interface edited when it is asked for that one alone. */
  static Ec2Api alone(Ec2Api ec2, UnaryOperator<AwsNetworkInterface> edited) {
    return reads(
        ec2,
        (query, all) ->
            query.values().containsKey("network-interface-id")
                ? all.stream().map(edited).toList()
                : all);
  }

  /** EC2 that shows interfaces as a test edits them. */
  static Ec2Api reads(Ec2Api ec2, Reads reads) {
    return over(
        ec2,
        (request, arguments, genuine) -> {
          Object answer = genuine.call();
          return request.equals("describeNetworkInterfaces")
                  && answer instanceof AwsPage<?> page
                  && arguments[0] instanceof Ec2Filter query
              ? new AwsPage<>(
                  reads.shown(
                      query,
                      new ArrayList<>(
                          page.items().stream().map(AwsNetworkInterface.class::cast).toList())),
                  page.next())
              : answer;
        });
  }
}
