"""Values of named fields, made without `dataclasses`: it loads `inspect` and compiles six methods a class."""

from typing import ClassVar, Self, dataclass_transform, get_origin

_OF_THE_CLASS: object = ClassVar


@dataclass_transform(frozen_default=True)
class Record:
    """A value of named fields that stay as they are; equal to one of its own class whose fields are equal."""

    _fields: ClassVar[tuple[str, ...]] = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()  # what `case Close(factor)` reads

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()  # of Generic, where it is one
        named = cls.__annotations__.items()
        own = tuple(name for name, kind in named if get_origin(kind) is not _OF_THE_CLASS)
        cls._fields = (*cls._fields, *own)
        cls.__match_args__ = cls._fields  # type: ignore[misc]

    def __init__(self, *values: object, **named: object) -> None:
        fields = self._fields
        given = dict(zip(fields, values, strict=False)) | named
        if len(given) < len(values) + len(named) or not given.keys() <= {*fields}:
            raise TypeError(f"{type(self).__name__} has the fields {', '.join(fields)}, each once")
        try:
            for name in fields:  # in their order
                self.__dict__[name] = given[name] if name in given else getattr(type(self), name)
        except AttributeError:
            raise TypeError(f"{type(self).__name__} needs a value for {name}") from None

    def replaced(self, **changes: object) -> Self:
        """The same with other values of these fields."""
        return type(self)(**{**self.__dict__, **changes})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of {self!r} stays as it is")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{name} of {self!r} stays as it is")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple(self.__dict__.values()))

    def __repr__(self) -> str:
        said = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
        return f"{type(self).__name__}({said})"
