"""Django's own test suite over PyMySQL, on databases that exist."""

import os

import pymysql

# Django asks for a version of mysqlclient that PyMySQL stands for.
pymysql.version_info = (2, 2, 7, "final", 0)
pymysql.install_as_MySQLdb()


def database(name):
    return {
        "ENGINE": "django.db.backends.mysql",
        "HOST": os.environ["SUITE_HOST"],
        "PORT": os.environ["SUITE_PORT"],
        "USER": os.environ["SUITE_USER"],
        "PASSWORD": os.environ["SUITE_PASSWORD"],
        "NAME": name,
        "TEST": {"NAME": name, "CHARSET": "utf8mb4"},
    }


DATABASES = {"default": database(os.environ["SUITE_DATABASE"]), "other": database("other")}
SECRET_KEY = "of no use"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
USE_TZ = False
